package diagnose

import _ "os"
