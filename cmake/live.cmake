# The figures that the reader can change: live.cpp of each lesson, and what these use of their lessons.
file(GLOB live_figures CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lessons/[0-9][0-9]_*/live.cpp)
set(live_parts
    ${PROJECT_SOURCE_DIR}/lessons/02_autograd/graph_picture.cpp
    ${PROJECT_SOURCE_DIR}/lessons/04_learning/spirals.cpp
    ${PROJECT_SOURCE_DIR}/lessons/07_recurrence/gradient_norms.cpp
    ${PROJECT_SOURCE_DIR}/lessons/09_attention_pooling/curve.cpp
    ${PROJECT_SOURCE_DIR}/lessons/16_glimpses/model.cpp
    ${PROJECT_SOURCE_DIR}/lessons/19_heads/model.cpp
    ${PROJECT_SOURCE_DIR}/lessons/23_language_model/generation.cpp
    ${PROJECT_SOURCE_DIR}/lessons/23_language_model/model.cpp)
