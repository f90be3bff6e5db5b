module.exports = require('../engineOfN8n1')(require('./node_modules/n8n-core'));
