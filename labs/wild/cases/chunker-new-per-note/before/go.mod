module wild/chunker-new-per-note

go 1.26.0

require wild/service v0.0.0

require github.com/restic/chunker v0.4.0

replace wild/service => ../../service
