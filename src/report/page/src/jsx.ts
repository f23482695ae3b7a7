// What build.mjs turns elements into: h(type, attributes, ...children) is shorter than the automatic form.
export { createElement as h, Fragment } from "preact";
