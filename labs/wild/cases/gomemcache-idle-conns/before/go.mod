module wild/gomemcache-idle-conns

go 1.23

require wild/service v0.0.0

require github.com/bradfitz/gomemcache v0.0.0-20260422231931-4d751bb6e37c

replace wild/service => ../../service
