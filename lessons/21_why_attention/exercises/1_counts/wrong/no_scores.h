// Says: the scores and the mean of the values are missing
#include "lessons/course/exercise/write.h"

double my_gru_work() { return 6. * 32 * 128 * 128; }

double my_attention_work() { return 4. * 32 * 128 * 128; }

double my_lstm_crossing() { return 2 * 128; }

double my_way() { return 3 + 3; }

double my_waiting() { return 6 + 6; }
