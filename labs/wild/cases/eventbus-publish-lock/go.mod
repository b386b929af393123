module wild/eventbus-publish-lock

go 1.23
