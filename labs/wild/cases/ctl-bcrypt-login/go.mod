module wild/ctl-bcrypt-login

go 1.23
