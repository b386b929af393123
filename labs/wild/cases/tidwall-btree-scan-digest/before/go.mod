module wild/tidwall-btree-scan-digest

go 1.23

require wild/service v0.0.0

require github.com/tidwall/btree v1.8.2

replace wild/service => ../../service
