import type { Dispatcher } from 'undici';

/** A handler that says all that it hears to another one: what one of its own replaces, that hears alone. */
export function forwardingTo(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
	return {
		onRequestStart: (...start) => handler.onRequestStart?.(...start),
		onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
		onResponseStart: (...start) => handler.onResponseStart?.(...start),
		onResponseData: (...data) => handler.onResponseData?.(...data),
		onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
		onResponseError: (...error) => handler.onResponseError?.(...error),
	};
}
