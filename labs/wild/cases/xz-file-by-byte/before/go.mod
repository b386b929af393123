module wild/xz-file-by-byte

go 1.23

require wild/service v0.0.0

require github.com/ulikunitz/xz v0.5.17

replace wild/service => ../../service
