package diagnose

import _ "net/http"
