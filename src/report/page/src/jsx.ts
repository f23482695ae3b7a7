// The functions that elements are made with; build.mjs puts them into each module.
export { Fragment, h } from "preact";
