"""How the API's page and the admin look: settings of two packages that no environment changes."""

SPECTACULAR_SETTINGS = {
    "TITLE": "Crowdwright",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "ProjectState": "annotation.projects.models.Project.State",
        "StageState": "annotation.projects.models.Stage.State",
        "AssignmentState": "annotation.hits.models.Assignment.State",
        "CallState": "annotation.providers.models.Intent.State",
    },
}
UNFOLD = {
    "SITE_TITLE": "Crowdwright review",
    "SITE_HEADER": "Crowdwright",
    "SITE_SUBHEADER": "Expert review",
    "SITE_URL": "/",
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "SITE_SYMBOL": "rule",
    "STYLES": ["annotation.review.sidebar.style"],
    "SIDEBAR": {"navigation": "annotation.review.sidebar.navigation"},
    "COLORS": {
        # The accent of our own pages (static/css/base.css), as a scale.
        "primary": {
            "50": "#f0f6fc",
            "100": "#e4eef9",
            "200": "#c5dcf3",
            "300": "#9cc3ff",
            "400": "#86b8f0",
            "500": "#5b96da",
            "600": "#1f5fa8",
            "700": "#1a5090",
            "800": "#194374",
            "900": "#193a60",
            "950": "#10253f",
        },
    },
}
