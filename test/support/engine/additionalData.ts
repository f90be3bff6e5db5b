import { ExternalSecretsProxy } from 'n8n-core';
import type { ICredentialsHelper, IWorkflowExecuteAdditionalData } from 'n8n-workflow';

/** What n8n-core is given for an execution, where nothing of n8n is there but it. */
export function additionalData(
	credentialsHelper: ICredentialsHelper,
): IWorkflowExecuteAdditionalData {
	const unused = async () => await Promise.reject(new Error('Not there without n8n'));
	const noAddress = 'http://127.0.0.1/';
	return {
		credentialsHelper,
		externalSecretsProxy: new ExternalSecretsProxy(),
		executionId: 'e1',
		executeWorkflow: unused,
		getRunExecutionData: unused,
		getRuntimeCredential: unused,
		startRunnerTask: unused,
		currentNodeExecutionIndex: 0,
		restApiUrl: noAddress,
		instanceBaseUrl: noAddress,
		formBaseUrl: noAddress,
		formWaitingBaseUrl: noAddress,
		formTestBaseUrl: noAddress,
		webhookBaseUrl: noAddress,
		webhookWaitingBaseUrl: noAddress,
		webhookTestBaseUrl: noAddress,
		mcpBaseUrl: noAddress,
		mcpTestBaseUrl: noAddress,
		variables: {},
		logAiEvent: () => {},
	};
}
