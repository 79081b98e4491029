"""Where the sites of one machine are to be found: from flags, the environment, or as the last time."""

import pytest

from annotation.launch import addresses


def choose(tmp_path, **environment):
    return addresses.choose(
        web_port=None, marketplace_port=None, remembered=tmp_path / "ports.json", environment=environment
    )


def test_the_ports_of_the_last_time_are_taken_where_nothing_else_is_said(tmp_path):
    chosen = choose(tmp_path, CROWDWRIGHT_PORT="8100", CROWDWRIGHT_MARKETPLACE_PORT="8101")
    addresses.remember(chosen, tmp_path / "ports.json")
    assert choose(tmp_path) == chosen
    assert choose(tmp_path, CROWDWRIGHT_PORT="").web_port == 8100


@pytest.mark.parametrize("port", ["abc", "0", "70000", "-1", "8000.5", "٣"])
@pytest.mark.parametrize("name", ["CROWDWRIGHT_PORT", "CROWDWRIGHT_MARKETPLACE_PORT"])
def test_a_variable_that_names_no_port_is_told_with_its_name(tmp_path, name, port):
    with pytest.raises(addresses.NoPort, match=name):
        choose(tmp_path, **{name: port})


def test_so_is_an_address_that_is_none(tmp_path):
    with pytest.raises(addresses.NoPort, match="MTURK_ENDPOINT_URL"):
        choose(tmp_path, MTURK_ENDPOINT_URL="http://127.0.0.1:abc")
