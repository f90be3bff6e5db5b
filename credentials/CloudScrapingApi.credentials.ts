import type {
	ICredentialDataDecryptedObject,
	Icon,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

/**
 * API key and address of a Cloud Scraping service (docs/api.md, section 5).
 * The test lives in the node (`credentialTest.ts`): only code can tell a refused key from a service
 * that answers HTTP 404 because it does not know the task that the test asks for.
 */
export class CloudScrapingApi implements ICredentialType {
	name = 'cloudScrapingApi';

	displayName = 'Cloud Scraping API';

	icon: Icon = {
		light: 'file:../icons/cloudScraping.svg',
		dark: 'file:../icons/cloudScraping.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-cloud-scraping/n8n-nodes-cloud-scraping#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://openapi.example.com',
			description:
				'Address of the service, without /cloud at the end. The API key is sent to this address only; outside your own network, use https://.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: "Create one in the service's web console. It is sent as a 'Bearer' token.",
		},
	];

	/** In code, because n8n would evaluate an expression for each page: a fifth of a read's time. */
	async authenticate(
		{ apiKey }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const Authorization = `Bearer ${typeof apiKey === 'string' ? apiKey.trim() : ''}`;
		return await Promise.resolve({ ...request, headers: { ...request.headers, Authorization } });
	}
}
