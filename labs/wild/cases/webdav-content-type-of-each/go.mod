module wild/webdav-content-type-of-each

go 1.23

require wild/service v0.0.0

replace wild/service => ../../service
