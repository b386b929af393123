module wild/ctl-roaring-segments

go 1.23

require wild/service v0.0.0

replace wild/service => ../../service
