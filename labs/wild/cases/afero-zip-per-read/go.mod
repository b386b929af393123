module wild/afero-zip-per-read

go 1.25

require wild/service v0.0.0

replace wild/service => ../../service
