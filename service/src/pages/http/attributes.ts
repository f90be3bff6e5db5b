/** Those of an element. What a page does not say is not there, "constructor" neither. */
export class Attributes {
	[name: string]: string;
}
Reflect.setPrototypeOf(Attributes.prototype, null);
Reflect.deleteProperty(Attributes.prototype, 'constructor');
