module wild/eventbus-publish-lock

go 1.23

require (
	github.com/asaskevich/EventBus v0.0.0-20200907212545-49d423059eef
	wild/service v0.0.0
)

replace wild/service => ../../service
