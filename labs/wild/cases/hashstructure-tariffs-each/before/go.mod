module wild/hashstructure-tariffs-each

go 1.26.0

require wild/service v0.0.0

require github.com/mitchellh/hashstructure/v2 v2.0.2

replace wild/service => ../../service
