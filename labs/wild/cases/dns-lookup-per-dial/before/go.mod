module wild/dns-lookup-per-dial

go 1.23

require (
	github.com/rs/dnscache v0.0.0-20230804202142-fc85eb664529
	wild/service v0.0.0
)

require golang.org/x/sync v0.0.0-20190423024810-112230192c58 // indirect

replace wild/service => ../../service
