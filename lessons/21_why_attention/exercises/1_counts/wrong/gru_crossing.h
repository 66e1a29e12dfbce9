// Says: this is the crossing of the GRU
#include "lessons/course/exercise/write.h"

double my_gru_work() { return 6. * 32 * 128 * 128; }

double my_attention_work() { return 4. * 32 * 128 * 128 + 2. * 32 * 32 * 128; }

double my_lstm_crossing() { return 128; }

double my_way() { return 3 + 3; }

double my_waiting() { return 6 + 6; }
