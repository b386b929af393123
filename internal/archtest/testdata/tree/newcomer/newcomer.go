package newcomer

import _ "strings"
