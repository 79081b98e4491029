// Options that the item brings behave like any others.
export { mount } from "./choice.js";
