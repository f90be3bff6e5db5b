import { html } from '../text/html.ts';
import { page, type WholePage } from './layout.ts';

/** The form for an API key; `to`: the page that was asked for. */
export function signInPage({ to, mistake }: { to?: string; mistake?: string }): WholePage {
	return page({
		title: 'Sign in',
		isOutside: true,
		content: html`
			<form class="card sign-in" method="post" action="/console/sign-in">
				${mistake && html`<p class="notice bad" role="alert">${mistake}</p>`}
				<p>Open the link that the service printed when it started, or enter one of its API keys.</p>
				<input type="hidden" name="to" value="${to ?? ''}" />
				<label for="api-key">API key</label>
				<input
					id="api-key"
					name="apiKey"
					type="password"
					autocomplete="current-password"
					required
					autofocus
				/>
				<button class="primary">Sign in</button>
			</form>
		`,
	});
}
