// Starts Swagger UI; a session login also needs the CSRF token with every write.
"use strict";
const place = document.getElementById("docs");
const { schemaUrl, csrfHeader, csrfToken } = place.dataset;
window.SwaggerUIBundle({
  url: schemaUrl,
  domNode: place,
  deepLinking: true,
  requestInterceptor: (request) => {
    if (csrfToken && new URL(request.url, location.href).origin === location.origin) {
      request.headers[csrfHeader] = csrfToken;
    }
    return request;
  },
});
