module wild/gopkg-gopool-of-six

go 1.26.0

require (
	github.com/bytedance/gopkg v0.1.4
	wild/service v0.0.0
)

replace wild/service => ../../service
