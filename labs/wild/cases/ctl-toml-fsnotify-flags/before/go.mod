module wild/ctl-toml-fsnotify-flags

go 1.26.0

require (
	github.com/fsnotify/fsnotify v1.10.1
	github.com/pelletier/go-toml/v2 v2.2.4
	wild/service v0.0.0
)

require golang.org/x/sys v0.13.0 // indirect

replace wild/service => ../../service
