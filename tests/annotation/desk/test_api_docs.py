import pytest


@pytest.mark.parametrize("name", ["docs", "schema"])
def test_an_address_with_a_slash_behind_leads_to_the_one_without(browse, name):
    response = browse("owner").get(f"/api/v1/{name}/")
    assert (response.status_code, response.url) == (302, f"/api/v1/{name}")
