# The figures that the reader can change: live.cpp of each lesson, and what these use of their lessons.
file(GLOB live_figures CONFIGURE_DEPENDS lessons/[0-9][0-9]_*/live.cpp)
set(live_parts
    lessons/02_autograd/graph_picture.cpp
    lessons/04_learning/spirals.cpp
    lessons/07_recurrence/gradient_norms.cpp
    lessons/09_attention_pooling/curve.cpp
    lessons/16_glimpses/model.cpp
    lessons/19_heads/model.cpp
    lessons/23_language_model/generation.cpp
    lessons/23_language_model/model.cpp)
