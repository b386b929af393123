module wild/ftp-shared-control-conn

go 1.23

require wild/service v0.0.0

require github.com/jlaffaye/ftp v0.2.4

replace wild/service => ../../service
