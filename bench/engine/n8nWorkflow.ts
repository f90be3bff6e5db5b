import { registerHooks } from 'node:module';

/**
 * Loaded before the engine (`--import`): n8n-workflow's ES modules are meant for bundlers, and Node.js
 * cannot load them. Its CommonJS build is what n8n itself runs, and n8n-core has the same instance.
 */
registerHooks({
	resolve: (specifier, context, nextResolve) =>
		nextResolve(
			specifier,
			specifier === 'n8n-workflow' ? { ...context, conditions: ['node', 'require'] } : context,
		),
});
