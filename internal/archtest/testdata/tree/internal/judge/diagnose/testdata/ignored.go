package ignored

import _ "os"
