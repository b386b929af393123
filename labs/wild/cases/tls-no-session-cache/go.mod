module wild/tls-no-session-cache

go 1.23
