module wild/redisstore-three-connections

go 1.26.0

require (
	github.com/alexedwards/scs/redisstore v0.0.0-20251002162104-209de6e426de
	github.com/alexedwards/scs/v2 v2.9.0
	github.com/gomodule/redigo v1.9.3
	wild/service v0.0.0
)

replace wild/service => ../../service
