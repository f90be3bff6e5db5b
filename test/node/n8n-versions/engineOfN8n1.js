/** The engine of n8n 1 with the interface of n8n 2, so that the same tests run on both. */
module.exports = (core) => {
	class WorkflowExecute extends core.WorkflowExecute {
		run({ workflow, startNode }) {
			return super.run(workflow, startNode);
		}
	}
	return { ...core, WorkflowExecute };
};
