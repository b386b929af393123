package app

# Roles give permissions: what a small service asks for each request.
default allow := false

allow if {
	some role in data.users[input.user].roles
	some grant in data.roles[role]
	grant.action == input.action
	grant.type == input.type
}

# The owner of a device, from an array of 5000: it is walked through for each query.
owner := device.owner if {
	some device in data.devices
	device.serial == input.serial
}
