module wild/xmod-parse-for-the-path

go 1.26.0

require (
	golang.org/x/mod v0.43.0
	wild/service v0.0.0
)

replace wild/service => ../../service
