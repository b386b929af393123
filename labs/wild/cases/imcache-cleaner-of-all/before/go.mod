module wild/imcache-cleaner-of-all

go 1.26.0

require wild/service v0.0.0

require github.com/erni27/imcache v1.2.1

replace wild/service => ../../service
