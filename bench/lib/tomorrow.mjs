// Loaded before everything else in a process and its threads: their clock runs a day, an hour and a minute ahead.
const ahead = 25 * 3_600_000 + 60_000
const now = Date.now.bind(Date)
Date.now = () => now() + ahead
