#include "lessons/course/report/results.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace heed::course {

std::string results_json(const Run& run, const std::vector<Claim>& claims) {
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const Claim& claim : claims) {
        list.push_back({{"text", claim.text},
                        {"measured", std::isfinite(claim.measured) ? Json(claim.measured) : Json()},
                        {"expected", claim.expected.words},
                        {"holds", claim.holds}});
    }
    const Json json = {{"lesson", run.lesson}, {"name", run.name},
                       {"seed", run.seed},     {"quick", run.quick},
                       {"data", run.data},     {"seconds", std::round(run.seconds * 1000) / 1000},
                       {"claims", list}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heed::course
