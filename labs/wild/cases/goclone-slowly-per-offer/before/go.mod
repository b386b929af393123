module wild/goclone-slowly-per-offer

go 1.26.0

require (
	github.com/huandu/go-clone v1.7.3
	wild/service v0.0.0
)

replace wild/service => ../../service
