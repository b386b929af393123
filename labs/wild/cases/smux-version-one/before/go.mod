module wild/smux-version-one

go 1.26.0

replace wild/service => ../../service

require (
	github.com/xtaci/smux v1.5.58
	wild/service v0.0.0
)
