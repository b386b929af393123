module wild/simplefeatures-validates-stored

go 1.23

require wild/service v0.0.0

replace wild/service => ../../service
