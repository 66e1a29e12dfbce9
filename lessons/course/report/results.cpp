#include "lessons/course/report/results.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace heed::course {

std::string results_json(const Run& run, const std::vector<Claim>& claims) {
    using Json = nlohmann::ordered_json;
    Json list = Json::array(), recorded = Json::array();
    for (const Claim& claim : claims) {
        Json one = {{"name", claim.name},
                    {"text", claim.text},
                    {"measured", std::isfinite(claim.measured) ? Json(claim.measured) : Json()}};
        if (has_bar(claim)) one["expected"] = claim.expected.words, one["holds"] = claim.holds;
        (has_bar(claim) ? list : recorded).push_back(one);
    }
    const Json json = {{"lesson", run.lesson}, {"name", run.name},
                       {"seed", run.seed},     {"quick", run.quick},
                       {"data", run.data},     {"seconds", std::round(run.seconds * 1000) / 1000},
                       {"claims", list},       {"measured", recorded}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heed::course
