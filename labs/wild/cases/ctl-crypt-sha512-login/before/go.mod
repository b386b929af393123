module wild/ctl-crypt-sha512-login

go 1.26.0

require wild/service v0.0.0

require github.com/GehirnInc/crypt v0.0.0-20230320061759-8cc1b52080c5

replace wild/service => ../../service
