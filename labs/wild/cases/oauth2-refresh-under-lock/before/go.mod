module wild/oauth2-refresh-under-lock

go 1.23

require wild/service v0.0.0

require golang.org/x/oauth2 v0.24.0

replace wild/service => ../../service
