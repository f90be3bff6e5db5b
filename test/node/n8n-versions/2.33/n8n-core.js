module.exports = require('./node_modules/n8n-core');
