const core = require('./node_modules/n8n-core');

/** The old engine with the interface of the new one, so that the same tests run on both. */
class WorkflowExecute extends core.WorkflowExecute {
	run({ workflow, startNode }) {
		return super.run(workflow, startNode);
	}
}

module.exports = { ...core, WorkflowExecute };
