// What build.mjs turns elements into: h(type, attributes, ...children) is shorter than the automatic form. And what it turns
// functions of Math into.
export { createElement as h, Fragment } from "preact";
export const { abs: math_abs, ceil: math_ceil, floor: math_floor, max: math_max, min: math_min, round: math_round } = Math;
