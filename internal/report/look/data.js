// The data of the report, which the page holds.

const report = JSON.parse(document.getElementById('report-data').textContent);

