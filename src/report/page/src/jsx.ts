// What build.mjs turns elements into: h(type, attributes, ...children) is shorter than the automatic form. And what it turns
// functions that stand often into.
export { createElement as h, Fragment } from "preact";
export const {
  abs: Math_abs,
  ceil: Math_ceil,
  floor: Math_floor,
  log: Math_log,
  max: Math_max,
  min: Math_min,
  round: Math_round,
} = Math;
export const { entries: Object_entries, keys: Object_keys } = Object;
const page = document; // so that it is not replaced here
export const document_getElementById = (id: string) => page.getElementById(id);
