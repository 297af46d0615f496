import { namingScript } from "../pages/html/naming-script.ts";

/** Colours that give Swagger UI's text the contrast that WCAG 2.2 requires (AA, 4.5:1). */
export const READABLE = `
@media (prefers-reduced-motion: reduce) { *, ::before, ::after { transition: none !important; animation: none !important; } }
.swagger-ui { --blue: #1b5fae; --green: #17694a; --orange: #8f4e00; --teal: #0f6b5a; --red: #b02318; --grey: #4b5560; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: var(--blue); }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: var(--green); }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: var(--orange); }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: var(--teal); }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: var(--red); }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: var(--grey); }
.swagger-ui .info .title small pre { color: #fff; }
.swagger-ui .link, .swagger-ui .info a, .swagger-ui a, .swagger-ui .info .base-url, .swagger-ui .url { color: var(--blue); }
.swagger-ui .microlight span[style*="211, 99, 99"] { color: #ff9d96 !important; }
.swagger-ui .renderedMarkdown a { text-decoration: underline; }
.swagger-ui .btn.authorize, .swagger-ui .btn.authorize svg { border-color: var(--green); color: var(--green); fill: var(--green); }
.swagger-ui .btn.execute { background: var(--blue); border-color: var(--blue); }
.swagger-ui .btn.cancel, .swagger-ui .parameter__name.required > span, .swagger-ui .parameter__name.required::after { color: var(--red); border-color: var(--red); }
.swagger-ui .parameter__in, .swagger-ui .parameter__extension, .swagger-ui .prop-format, .swagger-ui .opblock-description-wrapper,
.swagger-ui .json-schema-2020-12-expand-deep-button, .swagger-ui .responses-inner h4, .swagger-ui .response-col_links { color: var(--grey); }
`;

const accessibleNames = namingScript({
  "#servers": "Address",
  "input[data-variable=tenantId]": "tenantId",
  "input[data-variable=storeId]": "storeId",
  ".close-modal": "Close",
  ".modal-btn.authorize": "Authorize",
  ".examples-select-element": "Example",
  ".body-param__text": "Request body",
  ".parameters-col_description input, .parameters-col_description select": "Value",
});

/**
 * `deepLinking` is used without Swagger UI's own links, because no screen reader announces a link inside the button
 * that opens an operation. `validatorUrl` is null, because the validator's badge would be loaded from another host.
 */
export const script = `const withoutInnerLinks = ({ React }) => ({
  components: { DeepLink: ({ text }) => React.createElement("span", { className: "nostyle" }, text) },
});
SwaggerUIBundle({
  url: "openapi.json",
  domNode: document.getElementById("interface"),
  plugins: [withoutInnerLinks],
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayOperationId: true,
  validatorUrl: null,
});
${accessibleNames}`;
