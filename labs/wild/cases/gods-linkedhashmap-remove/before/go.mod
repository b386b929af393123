module wild/gods-linkedhashmap-remove

go 1.23

require (
	github.com/emirpasic/gods v1.18.1
	github.com/wk8/go-ordered-map/v2 v2.1.8
	wild/service v0.0.0
)

require (
	github.com/bahlo/generic-list-go v0.2.0 // indirect
	github.com/buger/jsonparser v1.1.1 // indirect
	github.com/mailru/easyjson v0.7.7 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace wild/service => ../../service
